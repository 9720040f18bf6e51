// Watches the npm process that started this one. A killed npm passes no signal on, and the shell in
// between may end silently or stay behind.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

type Process = { readonly parent: number; readonly command: string };

/** Reads a process's parent and command from /proc or `ps`. Null if the process is gone. */
function readProcess(pid: number): Process | null {
  try {
    const text =
      process.platform === "linux"
        ? readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^\d+ \((.*)\) \S (\d+) .*$/s, "$2 $1")
        : execFileSync("ps", ["-o", "ppid=,comm=", "-p", String(pid)], { encoding: "utf8" });
    const [, parent, command] = /^\s*(\d+)\s+(.*?)\s*$/.exec(text) ?? [];
    return parent && command ? { parent: Number(parent), command } : null;
  } catch {
    return null;
  }
}

const isShell = (command: string) => /(^|[-/])(ba|da|z|k|a)?sh$/.test(command);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Returns a function that tells whether npm has ended; always false if npm did not start us. */
export function watchNpm(): () => boolean {
  if (!process.env.npm_lifecycle_event) return () => false;
  const parent = process.ppid;
  const shell = readProcess(parent);
  const npm = shell && isShell(shell.command) ? shell.parent : parent;
  return () => process.ppid !== parent || !isAlive(npm);
}
