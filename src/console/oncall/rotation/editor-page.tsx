// The page of a form that changes who is on call: the form, and beside it the next six weeks, which
// a script draws again while somebody types.

import type { Child } from "hono/jsx";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import { Button, Form, FormFaults } from "../../../kernel/console/form.tsx";
import { isPartial } from "../../../kernel/console/go-to.ts";
import { Heading, Panel } from "../../../kernel/console/panel.tsx";
import { pageReply, type Reply } from "../../../kernel/console/reply.ts";
import type { Values } from "../../../kernel/console/values.ts";
import type { Visit } from "../../page.ts";
import { readNames } from "../../reads.ts";
import { type Planned, PlanPanel } from "./plan-panel.tsx";
import { EnterButton, PositionTemplate } from "./positions-field.tsx";

type EditorProps = {
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
      <Form to={props.to} kind="fields" id="editor">
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

export const editorPage = (props: EditorPage): Reply =>
  pageReply(
    props.title,
    <>
      <Heading title={props.title} lead={props.lead} back={props.back} />
      {props.above}
      <Editor {...props} drawing={<PlanPanel {...props} />} />
      <PositionTemplate {...props} />
    </>,
    props.refusal,
  );

/** The values of a form that is shown again, and what it would do. */
export type ShownAgain = {
  readonly values: Values;
  readonly refusal: Refusal | null;
  readonly planned: Planned;
};

/** After an operation on the people of a form, the form again; for the script, only the drawing. */
export async function draftPage(
  visit: Visit,
  shown: Omit<ShownAgain, "refusal">,
  show: (visit: Visit, shown: ShownAgain) => Promise<Reply>,
  drawing: Pick<PlanProps, "zone" | "notes">,
): Promise<Reply> {
  if (!isPartial(visit.context)) return show(visit, { ...shown, refusal: null });
  const names = await readNames(visit.api);
  if (isRefusal(names)) return names;
  const body = <PlanPanel {...{ ...drawing, names, planned: shown.planned }} />;
  return pageReply("Preview", body);
}
