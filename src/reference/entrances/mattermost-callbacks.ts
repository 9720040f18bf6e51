// The callback endpoints of Mattermost. Its requests are not signed: they have a token in their body.
import type { Shape } from "../schemas/json-schema.ts";
import { answers, field, form, post } from "./chat-callback.ts";

const json = (properties: Readonly<Record<string, Shape>>, example: Shape): Shape => ({
  required: true,
  content: {
    "application/json": {
      schema: { type: "object", additionalProperties: true, properties },
      example,
    },
  },
});

const USER = "w5o5bqtwoibz8cuzxzg5eksuse";
const ALERT = "01JJ5E6V7P8Q9R0STVWXYZ0123";

export const mattermostCallbackPaths: Shape = {
  "/callbacks/mattermost/{integration}/actions": post(
    {
      operationId: "actInMattermost",
      summary: "Receive a press of a button in Mattermost",
      description:
        "A button or menu of an alert's post: acknowledges, rejects, resolves or snoozes the alert as the person who linked the Mattermost account, or opens the dialog to hand it off or to comment on it. Others get a link in a direct message of the bot, and refusals their reason in a message that only they see. `context.token` proves that the request comes from the post, is good for 30 days, and another one as soon as the alert has changed: what a person does counts once with each.",
      requestBody: json(
        {
          user_id: field("The person on the server."),
          trigger_id: field("Opens a dialog."),
          context: { type: "object", additionalProperties: true },
        },
        {
          user_id: USER,
          context: { token: "1769850000000.9Zk…", alert: ALERT, action: "acknowledge" },
        },
      ),
      response: answers("Done, or a message that only the person sees.", {
        ephemeral_text: "Nothing was changed. The alert is resolved.",
      }),
    },
    [],
  ),
  "/callbacks/mattermost/{integration}/dialogs": post(
    {
      operationId: "submitInMattermost",
      summary: "Receive a dialog of Mattermost",
      description:
        "Hands the alert off to the chosen team or person, or stores the comment, as the person who linked the Mattermost account. `state` is that of the dialog, with a token for the person who opened it: it is good once, for ten minutes, and for nobody else.",
      requestBody: json(
        {
          user_id: field("The person on the server."),
          state: field("What the dialog was opened with."),
          submission: { type: "object", additionalProperties: true },
        },
        { user_id: USER, state: "{}", submission: { value: "tem_9vKk2mPqR7sT1w" } },
      ),
      response: answers("Done, or an `error` that the dialog shows.", {
        error: "The comment is empty.",
      }),
    },
    [],
  ),
  "/callbacks/mattermost/{integration}/commands": post(
    {
      operationId: "commandInMattermost",
      summary: "Receive a slash command of Mattermost",
      description:
        "`/oncall [team]` answers who is on call now, `/page <team or person> <title>` creates an alert, as the person who linked the Mattermost account. Others get a link in a direct message of the bot.",
      requestBody: form(
        {
          token: field("The token of the command, one of the integration's `command_tokens`."),
          command: field("The command."),
          text: field("What is written after it."),
          user_id: field("The person on the server."),
        },
        { token: "gr8edh8qyjg7pryxzg5ekscmdt", command: "/oncall", text: "", user_id: USER },
      ),
      response: answers("A message that only the person sees.", {
        response_type: "ephemeral",
        text: "Payments: step 1: Ada",
      }),
    },
    [],
  ),
};
