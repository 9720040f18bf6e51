// Logs what was thrown while a request was served, without what belongs to others.
import { reportIfFull } from "../metrics/report-full.ts";

/** Logs an unexpected error with the id of its request, and whether the database is full. */
export function reportError(error: Error, requestId: string): void {
  console.error({ message: "unexpected error", requestId, error: describe(error) });
  reportIfFull(error);
}

/** Describes an error for the log, without messages that contain SQL and parameters. */
function describe(error: Error): Record<string, unknown> {
  const cause = error.cause instanceof Error ? error.cause.message : undefined;
  const first = error.message.startsWith("Failed query") ? "failed query" : error.message;
  return {
    name: error.name,
    message: first.slice(0, 300),
    cause: cause?.slice(0, 300),
    stack: error.stack?.split("\n").slice(1, 8),
  };
}
