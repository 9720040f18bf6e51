/** One of the values that a field can have, as it is shown. */
export type Choice = { readonly value: string; readonly label: string };
