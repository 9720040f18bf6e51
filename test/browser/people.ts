/** The password of all people who sign in in the browser tests. */
export const PASSWORD = "a lamp that never goes out";
