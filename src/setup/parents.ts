// Whether npm, which started us, is still there. Killed outright, it passes no signal on; and between it and us
// stands a shell that dies silently or stays behind.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

type Process = { readonly parent: number; readonly command: string };

/** A process's parent and command: from /proc, or from `ps` where there is none. Null for one that is gone. */
function lookUp(pid: number): Process | null {
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

/** Started by npm: says at any later moment whether it is gone. Started by hand: always false. */
export function watchNpm(): () => boolean {
  if (!process.env.npm_lifecycle_event) return () => false;
  const parent = process.ppid;
  const shell = lookUp(parent);
  const npm = shell && isShell(shell.command) ? shell.parent : parent;
  return () => process.ppid !== parent || !isAlive(npm);
}
