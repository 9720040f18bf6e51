// Log lines: one JSON object each, on standard output.

type Level = "info" | "warn" | "error";

/** Writes a line. */
export function log(level: Level, message: string, fields: object = {}): void {
  write({ time: new Date().toISOString(), level, message, ...fields });
}

const write = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

/** What the runtime passes on: a line of the worker's, which is JSON, or one of its own. */
type RuntimeLine = { readonly timestamp: number; readonly level: string; readonly message: string };

/** The fields of a line of the worker's. */
function fieldsOf(message: string): object {
  try {
    const parsed: unknown = JSON.parse(message);
    if (typeof parsed === "object" && parsed !== null) return parsed;
  } catch {
    // A text.
  }
  return { message };
}

/** Writes a line of the runtime. */
export function logRuntime({ timestamp, level, message }: RuntimeLine): void {
  const time = new Date(timestamp).toISOString();
  write({ time, level: level === "log" ? "info" : level, ...fieldsOf(message.trimEnd()) });
}
