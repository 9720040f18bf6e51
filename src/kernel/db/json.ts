import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** A condition as JSON, for a value in `json_object`; null is false. */
export const jsonFlag = (condition: SQLWrapper): SQL =>
  sql`json(iif(${condition}, 'true', 'false'))`;
