// The page of a form that changes who is on call: the form, and beside it the next six weeks, which
// a script draws again while somebody types.

import type { Child } from "hono/jsx";
import type { Refusal } from "../../../../domain/shared/refusal.ts";
import type { Session } from "../../../access/session.ts";
import type { Reply } from "../../../page.ts";
import type { Names } from "../../../shared/names.ts";
import { statusAfter } from "../../../shared/replies.ts";
import { Button, Form, FormFaults } from "../../shared/form.tsx";
import { Heading, Panel } from "../../shared/panel.tsx";
import { type PlanNote, type Planned, PlanPanel } from "./plan-panel.tsx";
import { EnterButton, PositionTemplate } from "./positions-field.tsx";

export type EditorPage = {
  readonly title: string;
  readonly lead?: Child;
  readonly back: { readonly to: string; readonly label: string };
  /** Above the form. */
  readonly above?: Child;
  readonly session: Session;
  /** Where the form posts to, and where it is redisplayed and drawn. */
  readonly to: string;
  readonly draft: string;
  /** The parameters whose errors the fields show themselves. */
  readonly parameters: readonly string[];
  readonly refusal: Refusal | null;
  readonly fields: Child;
  readonly buttons: Child;
  readonly planned: Planned;
  readonly notes?: readonly PlanNote[];
  readonly names: Names;
  /** The zone of the drawing. */
  readonly zone: string;
  readonly now: number;
};

export const editorPage = (props: EditorPage): Reply => ({
  kind: "page",
  status: statusAfter(props.refusal),
  title: props.title,
  section: "schedules",
  body: (
    <>
      <Heading title={props.title} lead={props.lead} back={props.back} />
      {props.above}
      <div class="columns even rotation-editor">
        <Panel>
          <Form to={props.to} session={props.session} kind="fields" id="editor">
            <EnterButton draft={props.draft} />
            <FormFaults refusal={props.refusal} fields={props.parameters} />
            {props.fields}
            <div class="buttons">
              {props.buttons}
              <span class="without-script">
                <Button tone="plain" to={props.draft} unchecked>
                  Preview
                </Button>
              </span>
            </div>
          </Form>
        </Panel>
        <PlanPanel {...props} />
      </div>
      <PositionTemplate {...props} />
    </>
  ),
});

/** Only the drawing, for the script. */
export const planPage = (props: Parameters<typeof PlanPanel>[0]): Reply => ({
  kind: "page",
  title: "Preview",
  body: <PlanPanel {...props} />,
});
