// The route that sends a test event.
import * as z from "zod";
import { found } from "../../../kernel/http/answers.ts";
import { onRecord } from "../../../kernel/http/records.ts";
import { route } from "../../../kernel/http/route.ts";
import { exactly } from "../../../kernel/http/shown.ts";
import { sendTestEvent } from "./send-test-event.ts";

export const integrationTestEventRoutes = [
  route({
    method: "POST",
    path: "/integrations/:id/test",
    operation: "testIntegration",
    allow: "admin",
    summary: "Send a test event",
    description: `Sends a test event through the integration, as a sender would and in its format (the type's \`set_up.sample\`): it creates an alert, notifies people and appears in the log. Find the alert by its \`thirdparty_id\`. An outgoing integration sends a test message; the delivery shows the outcome.`,
    shows: exactly("IntegrationTest"),
    refuses: ["conflict", "unavailable"],
    body: z.object({}),
    handle: onRecord("integration", async (request, identifier) =>
      found(await sendTestEvent(request, identifier)),
    ),
  }),
];
