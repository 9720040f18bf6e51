// Processes of this machine, as Linux lists them below `/proc`.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The ids of all processes. */
export const processIds = (): string[] => readdirSync("/proc").filter((it) => /^\d+$/.test(it));

/** The fields of a process after its name, which may contain anything. */
export function fieldsOf(pid: string): readonly string[] {
  const text = readFileSync(join("/proc", pid, "stat"), "utf8");
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
}

/** Reads a process; null if it has ended, or is somebody else's. */
export function attempt<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}
