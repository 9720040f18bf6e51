// The page of a form that changes who is on call: the form, and beside it the next six weeks, which
// a script draws again while somebody types.

import type { Child } from "hono/jsx";
import type { Refusal } from "../../../domain/shared/refusal.ts";
import type { Session } from "../../../features/access/sessions/session.ts";
import { Button, Form, FormFaults } from "../../../kernel/console/form.tsx";
import { Heading, Panel } from "../../../kernel/console/panel.tsx";
import { statusAfter } from "../../../kernel/console/replies.ts";
import type { Reply } from "../../../kernel/console/reply.ts";
import { PlanPanel } from "./plan-panel.tsx";
import { EnterButton, PositionTemplate } from "./positions-field.tsx";

type EditorProps = {
  readonly session: Session;
  /** Where the form posts to, and where it is redisplayed and drawn. */
  readonly to: string;
  readonly draft: string;
  /** The parameters whose errors the fields show themselves. */
  readonly parameters: readonly string[];
  readonly refusal: Refusal | null;
  readonly fields: Child;
  readonly buttons: Child;
  /** What the form would do: an element with the id `plan`, which the script draws again. */
  readonly drawing: Child;
};

/** A form with its drawing beside it. */
export const Editor = (props: EditorProps) => (
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
    {props.drawing}
  </div>
);

type PlanProps = Parameters<typeof PlanPanel>[0];

export type EditorPage = Omit<EditorProps, "drawing"> &
  PlanProps & {
    readonly title: string;
    readonly lead?: Child;
    readonly back: { readonly to: string; readonly label: string };
    /** Above the form. */
    readonly above?: Child;
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
      <Editor {...props} drawing={<PlanPanel {...props} />} />
      <PositionTemplate {...props} />
    </>
  ),
});

/** Only the drawing, for the script. */
export const planPage = (props: PlanProps): Reply => ({
  kind: "page",
  title: "Preview",
  body: <PlanPanel {...props} />,
});
