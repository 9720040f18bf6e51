// In the place of drizzle's selects and relational queries, which are written with `sql`, and of what it has for other
// databases (`alias` in wrangler.toml).
const unused = (): never => {
  throw new Error("selects of the library are left out");
};

// Their names are those that the library imports.
export class One {}
export class Many {}
export class QueryBuilder {}
/** Whether a value is a type of another kind of database. */
export const isPgEnum = () => false;
export const getOperators = unused;
export const getOrderByOperators = unused;
export const normalizeRelation = unused;
