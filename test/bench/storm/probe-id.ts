/** The `Id` of single requests that are sent while a storm drains: not counted as the storm's. */
export const PROBE = "probe";
