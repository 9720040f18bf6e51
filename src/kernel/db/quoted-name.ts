/** The name of a table or column in a statement. */
export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
