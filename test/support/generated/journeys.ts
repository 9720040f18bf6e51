// Set-up of the browser's tests: skips those that are not selected. Such a test takes seconds, where
// one of the runtime takes tenths.
import { beforeEach } from "vitest";
import { selectsJourney } from "./sizes.ts";

beforeEach(({ task, skip }) => {
  const isSelected = selectsJourney(`${task.file.name} ${task.fullTestName}`);
  skip(!isSelected, "runs under `npm run test:deep` and `npm test -- <words>`");
});
