// The editor of a rules document: the builder, and folded the text with line numbers, which is what the form
// submits. Invalid lines are marked and explained.
import type { BuilderData } from "../../domain/routing/builder/offers.ts";
import { readBuilder } from "../../domain/routing/builder/rules-text.ts";
import type { Refusal } from "../../domain/shared/refusal.ts";
import { EarlyScript, useAssetPath } from "../../kernel/console/asset-names.tsx";
import type { FormState } from "../../kernel/console/form.tsx";
import { faultText, sentence } from "../../kernel/console/labels.ts";
import { fieldText, type Values } from "../../kernel/console/values.ts";

export type RulesFault = { readonly line: number; readonly column: number; readonly text: string };

/** Removes the API path from a message, because the editor shows the line. */
const textOf = (text: string) => text.replace(/^[:\s]*(?:\([\w[\].]+\):\s*)?/, "");

/** The errors of the parameter `rules` that name a line and column. */
export function rulesFaults(refusal: Refusal | null): readonly RulesFault[] {
  return (refusal?.errors ?? []).flatMap(({ field, message }) => {
    const [, line, column, text] = /line (\d+), column (\d+)(.*)$/s.exec(message) ?? [];
    if (field !== "rules" || line === undefined) return [];
    return [{ line: Number(line), column: Number(column), text: textOf(text ?? "") }];
  });
}

const FREE_LINES = 4;

type RulesEditorProps = {
  readonly value: string;
  readonly builder: BuilderData;
  readonly refusal: Refusal | null;
  readonly help: string;
};

export const RulesEditor = ({ value, refusal, help, builder }: RulesEditorProps) => {
  const lines = value.split("\n");
  const faults = rulesFaults(refusal);
  const others = (refusal?.errors ?? []).filter(
    ({ field, message }) => field === "rules" && !/line \d+, column \d+/.test(message),
  );
  const isBad = (line: number) => faults.some((fault) => fault.line === line);
  const rows = lines.length + FREE_LINES;
  const shown = readBuilder(value, builder.kind);
  return (
    <div class="field">
      <label for="field-rules">Rules</label>
      {/* Not deferred: nothing below is drawn before the builder, and so nothing moves. */}
      <EarlyScript name="rules" />
      <rules-builder
        data-builder={JSON.stringify(builder)}
        data-text={value}
        data-shown={JSON.stringify(shown)}
        data-engine={useAssetPath("rules-text.js")}
      ></rules-builder>
      <details class="more" open={faults.length + others.length > 0 || shown.kind === "text"}>
        <summary>As text</summary>
        <div class="editor" data-editor>
          <pre class="line-numbers" aria-hidden="true">
            {Array.from({ length: rows }, (_, at) => (
              <>
                <span class={isBad(at + 1) ? "bad" : undefined}>{at + 1}</span>
                {"\n"}
              </>
            ))}
          </pre>
          <textarea
            id="field-rules"
            name="rules"
            class="code"
            rows={rows}
            spellcheck={false}
            wrap="off"
            aria-describedby="field-rules-help field-rules-faults"
            aria-invalid={faults.length + others.length > 0 ? "true" : undefined}
          >
            {`\n${value}`}
          </textarea>
        </div>
        <div class="faults" id="field-rules-faults">
          {faults.map(({ line, column, text }) => (
            <p>
              Line {line}, column {column}: {sentence(text)}
              <code class="faulty-line">{lines[line - 1] ?? ""}</code>
            </p>
          ))}
          {others.map((fault) => (
            <p>{faultText(fault, "Rules")}</p>
          ))}
        </div>
      </details>
      <p class="help" id="field-rules-help">
        {help} <a href="/docs/rules">Rule reference</a>.
      </p>
    </div>
  );
};

export const rulesField = <State extends FormState>(
  help: string,
  builderOf: (state: State) => BuilderData,
) => ({
  draw: (state: State) => (
    <RulesEditor
      value={fieldText(state.values, "rules")}
      refusal={state.refusal}
      help={help}
      builder={builderOf(state)}
    />
  ),
  parameters: ["rules"] as const,
  body: (form: Values) => ({ rules: fieldText(form, "rules").replaceAll("\r\n", "\n") }),
});
