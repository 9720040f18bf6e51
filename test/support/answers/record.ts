// Set-up of the tests of the API: notes what each request of a test is answered, where Node's answers are compared with the
// runtime's (`differential.ts`). The notes leave the runtime with the test's result.
import { beforeEach } from "vitest";
import { commit } from "../generated/sizes.ts";
import { type Asked, noteAnswersIn } from "./answers.ts";
import { isSampled } from "./sample.ts";

declare module "vitest" {
  interface TaskMeta {
    /** What the test's requests were answered, in the order in which they were made. */
    answers?: Asked[];
  }
}

beforeEach(({ task }) => {
  const isRecorded = Boolean(process.env.TEST_ANSWERS) && isSampled(task.file.name, commit);
  if (!isRecorded) return noteAnswersIn(null);
  task.meta.answers = [];
  noteAnswersIn(task.meta.answers);
});
