// Starts the parts of the server that have a process of their own, and ends them: as a whole group, which ends by itself when
// this process does, whatever ends it. A runtime that is left over would have a second one beside it on the same state.
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";

/** How long a process may take to end before it is killed (ms); what it has accepted is on disk by then. */
const STOP_MS = 5_000;

export type StartedProcess<Answer> = {
  /** The first message that it sends. Rejects if it ends without one. */
  readonly answer: Promise<Answer>;
  /** Resolves with the exit code once it has ended. */
  readonly ended: Promise<number>;
  /** Sends it a second message, which asks it to end. */
  readonly stop: () => void;
};

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // The group has ended.
  }
}

/** Runs a file of this folder, and sends it the input: secrets are in no list of processes, and in no environment. */
export function startProcess<Answer>(file: string, input: object): StartedProcess<Answer> {
  const folder = import.meta.dirname;
  const guard = join(folder, "../processes/kill-with-parent.ts");
  const child = spawn(
    process.execPath,
    ["--no-warnings", "--max-semi-space-size=2", "--import", guard, join(folder, file)],
    {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      detached: true,
    },
  );
  const kill = () => killGroup(child);
  process.once("exit", kill);
  child.send(input);
  const ended = new Promise<number>((done, fail) => {
    child.once("error", fail);
    child.once("exit", (code) => {
      process.off("exit", kill);
      kill();
      done(code ?? 1);
    });
  });
  const answer = new Promise<Answer>((done, fail) => {
    child.once("message", (message) => done(message as Answer));
    ended.then(() => fail(new Error(`${file} has ended`)), fail);
  });
  const stop = () => {
    if (child.connected) child.send("stop");
    setTimeout(kill, STOP_MS).unref();
  };
  return { answer, ended, stop };
}
