// Jenkins' notification plugin: builds of a job. A failed build creates an alert; the next
// successful one resolves it.
import { dataOf, datum } from "../reading/additional-data.ts";
import { payloadAt, textAt } from "../reading/payload.ts";
import { createSenderType, ignoreState, readState } from "../sender-type.ts";

export const jenkins = createSenderType({
  name: "jenkins",
  title: "Jenkins",
  description: "An endpoint of Jenkins' notification plugin, in JSON over HTTP.",
  // Parameters can be secret.
  leavesOut: /^build\.parameters/,
  says: ["resolve"],
  read: (fields) => {
    const build = payloadAt(fields, "build");
    const status = textAt(build, "status");
    const phase = textAt(build, "phase");
    // Queued and started builds have no status, or the previous build's.
    if (phase !== null && ["QUEUED", "STARTED"].includes(phase.toUpperCase())) {
      return ignoreState("build.phase", phase);
    }
    const kind = readState("build.status", status, {
      create: ["FAILURE", "UNSTABLE"],
      resolve: ["SUCCESS"],
      ignore: ["ABORTED", "NOT_BUILT"],
    });
    if (typeof kind !== "string") return kind;
    const name = textAt(fields, "display_name") ?? textAt(fields, "name");
    const isUnstable = status?.toUpperCase() === "UNSTABLE";
    return {
      kind,
      thirdpartyId: textAt(fields, "url") ?? name,
      title: `${name ?? "Jenkins job"} #${textAt(build, "number") ?? "?"} ${isUnstable ? "is unstable" : "failed"}`,
      description: textAt(build, "log") ?? textAt(build, "notes"),
      urgency: isUnstable ? "medium" : null,
      additionalData: [
        ...datum("build", textAt(build, "full_url"), "link"),
        ...dataOf(build.scm, "url", "branch", "commit"),
      ],
    };
  },
});
