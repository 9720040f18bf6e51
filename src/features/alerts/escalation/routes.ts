// The route of `GET /alerts/:id/next_steps`.
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { bare } from "../../../kernel/http/answers.ts";
import { onRecord } from "../../../kernel/http/records.ts";
import { route } from "../../../kernel/http/route.ts";
import { bareList } from "../../../kernel/http/shown.ts";
import { readNextSteps } from "./read-next-steps.ts";

export const nextStepRoutes = [
  route({
    method: "GET",
    path: "/alerts/:id/next_steps",
    operation: "getAlertNextSteps",
    allow: "everyone",
    summary: "Get an alert's next escalation steps",
    description: `One entry for each destination with an open workflow: who has been notified, until when, and who would be notified next by the current policy and schedule. If \`next\` is null, nobody is left to notify, and the alert is reassigned to the listed teams and people, if any.`,
    shows: bareList("NextStep"),
    handle: onRecord("alert", async (request, identifier) => {
      const steps = await readNextSteps(request, identifier);
      return isRefusal(steps) ? steps : bare(steps);
    }),
  }),
];
