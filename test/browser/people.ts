/** The password of everybody whom the browser signs in as. */
export const PASSWORD = "a lamp that never goes out";
