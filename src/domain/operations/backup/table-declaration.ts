// How a table of the backup is declared.

/** Columns are separated by spaces. */
export type TableDeclaration = {
  readonly name: string;
  /** The columns that order its rows, and identify them. */
  readonly key: string;
  readonly plain: string;
  /** Stored apart, encrypted: credentials, and whatever opens something to who has it. */
  readonly secret?: string;
  /** The tables that its columns refer to by `id`. */
  readonly parents?: Readonly<Record<string, string>>;
};
