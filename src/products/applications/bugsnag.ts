// BugSnag's webhook: errors, spikes of a project, and manual changes of an error's state.
import { dataOf, datum } from "../reading/additional-data.ts";
import { payloadAt, textAt, textsOf } from "../reading/payload.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import { createSenderType, readState } from "../sender-type.ts";

const OCCURRED = ["firstException", "powerTen", "exception", "errorEventFrequency", "reopened"];
const SPIKE = "projectSpiking";
const STATE_CHANGE = "errorStateManualChange";
/** States set by people that mean no action is needed. */
const CLOSED = ["fixed", "ignored", "snoozed", "discarded"];
const IN_WORK = ["in progress", "in_progress", "for_review"];
/** Triggers that are no trouble. */
const REMARKS = ["comment", "release", "assigned", "unassigned"];

export const bugsnag = createSenderType({
  name: "bugsnag",
  title: "BugSnag",
  description: "The webhook of a BugSnag project's data forwarding.",
  // People, requests and traces: whoever sees the alert would see them.
  leavesOut: /^account\.|\.(?:user|metaData|request|stackTrace|breadcrumbs)\b/,
  says: ["resolve"],
  read: (fields, { options }) => {
    const trigger = textAt(fields, "trigger", "type");
    const error = payloadAt(fields, "error");
    const kind = kindIn(trigger, textAt(error, "status"));
    if (typeof kind !== "string") return kind;
    const project = textAt(fields, "project", "name");
    const isSpike = trigger === SPIKE;
    const name = [textAt(error, "exceptionClass"), textAt(error, "message")].filter(Boolean);
    return {
      kind,
      thirdpartyId: isSpike
        ? `spike ${textAt(fields, "project", "id") ?? project ?? ""}`.trim()
        : (textAt(error, "errorId") ?? textAt(error, "id")),
      title: isSpike
        ? `Spike of errors in ${project ?? "a project"}`
        : name.join(": ") || textAt(fields, "trigger", "message"),
      description: textAt(error, "context"),
      urgency: urgencyOfWord(textAt(error, "severity"), options),
      tags: textsOf([error.releaseStage, textAt(error, "app", "releaseStage")]),
      additionalData: [
        ...datum("url", textAt(error, "url") ?? textAt(fields, "project", "url"), "link"),
        ...datum("project", project),
        ...datum("trigger", textAt(fields, "trigger", "message")),
        ...dataOf(error, "firstReceived", "receivedAt"),
      ],
    };
  },
});

function kindIn(trigger: string | null, status: string | null) {
  if (trigger === STATE_CHANGE) {
    return readState("error.status", status, {
      create: ["open"],
      resolve: CLOSED,
      ignore: IN_WORK,
    });
  }
  return readState("trigger.type", trigger, { create: [...OCCURRED, SPIKE], ignore: REMARKS });
}
