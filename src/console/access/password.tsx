// Changes a password: at the first sign-in to replace the first password. All other sessions of the
// person end.

import type { Refusal } from "../../domain/shared/refusal.ts";
import { changePassword } from "../../features/access/sessions/change-password.ts";
import { Button, Form, FormFaults, TextField } from "../../kernel/console/form.tsx";
import { Heading, Panel } from "../../kernel/console/panel.tsx";
import { done } from "../../kernel/console/replies.ts";
import type { Reply } from "../../kernel/console/reply.ts";
import { textOf } from "../../kernel/console/values.ts";
import { action, type ConsolePage, page, type Visit } from "../page.ts";
import { NewPasswordFields } from "./new-password.tsx";

function passwordPage({ session }: Visit, refusal: Refusal | null): Reply {
  const first = session.mustChoosePassword;
  return {
    kind: "page",
    status: refusal === null ? 200 : 422,
    title: first ? "Choose password" : "Change password",
    section: "settings",
    body: (
      <div class="narrow">
        <Heading
          title={first ? "Choose password" : "Change password"}
          lead={
            first
              ? "The password from the e-mail was valid for one sign-in."
              : "All your other sessions are signed out."
          }
        />
        <Panel>
          <Form to="/password" session={session} kind="fields">
            <FormFaults refusal={refusal} fields={["current", "password", "again"]} />
            {first ? null : (
              <TextField
                name="current"
                label="Current password"
                type="password"
                autocomplete="current-password"
                refusal={refusal}
                required
              />
            )}
            <NewPasswordFields refusal={refusal} />
            <Button>{first ? "Save password" : "Change password"}</Button>
          </Form>
        </Panel>
      </div>
    ),
  };
}

async function savePassword(visit: Visit): Promise<Reply> {
  const { form, session } = visit;
  const entered = {
    current: textOf(form, "current"),
    password: textOf(form, "password"),
    again: textOf(form, "again"),
  };
  const refusal = await changePassword(visit, session, entered);
  // Somebody who signs in without a password has no form.
  if (refusal?.reason === "forbidden") return refusal;
  if (refusal !== null) return passwordPage(visit, refusal);
  const text = "Password changed.";
  return session.mustChoosePassword ? done("/set-up", text) : done("/settings", text);
}

export const passwordPages: readonly ConsolePage[] = [
  page("/password", async (visit) => passwordPage(visit, null)),
  action("/password", savePassword),
];
