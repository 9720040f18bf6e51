// Which files of `api` run in the runtime as well, where every request has to be answered the same.
import { isDrawn } from "../generated/seed.ts";

/** Whether a file is among them: one in ten, at full size one in three, drawn from the commit. */
export const isSampled = (file: string, isFull: boolean, commit: string): boolean =>
  isDrawn(file, isFull ? 3 : 10, commit);
