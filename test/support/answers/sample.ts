// Which files of `api` run in the runtime as well, where every request has to be answered the same.
import { isDrawn } from "../generated/seed.ts";

/** Whether a file is among them: one in ten, drawn from the commit. */
export const isSampled = (file: string, commit: string): boolean => isDrawn(file, 10, commit);
