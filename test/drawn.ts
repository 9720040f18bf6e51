// Lists the tests that ran of those of which only some are drawn: of the browser, and of restarted workers.
import type { Reporter, TestModule } from "vitest/node";

const PROJECTS: readonly string[] = ["browser", "crash"];

export class Drawn implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (process.env.TEST_JOURNEYS !== "some") return;
    for (const module of modules.filter(({ project }) => PROJECTS.includes(project.name))) {
      for (const test of module.children.allTests()) {
        const name = `${module.relativeModuleId} > ${test.fullName}`;
        if (test.result().state !== "skipped") console.log(`Drawn: ${name}`);
      }
    }
  }
}
