// Trying an alert without sending it: what an integration would make of a payload, and who would be paged by that.
import { isRefusal, type Refusal, refuse } from "../domain/refusal.ts";
import type { Api } from "./api.ts";

export type Preview = {
  readonly status: string;
  readonly complete: boolean;
  readonly pages: readonly {
    readonly at: string;
    readonly event: string;
    readonly name: string;
    readonly channel: string | null;
    readonly decided_by: string | null;
    readonly layer: number | null;
    readonly reason: string | null;
  }[];
  readonly steps: readonly { readonly at: string; readonly message: string }[];
};

type Previewed = {
  readonly kind: string;
  readonly reason: string | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly urgency: string | null;
  readonly tags: readonly string[];
  readonly meta: Readonly<Record<string, unknown>>;
};

export type Tried = {
  readonly alert: Readonly<Record<string, unknown>>;
  readonly preview: Preview;
};

function parse(text: string): Readonly<Record<string, unknown>> | Refusal {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as Readonly<Record<string, unknown>>;
    }
  } catch (error) {
    return refuse("invalid", `is no JSON: ${String((error as Error).message)}`, "payload");
  }
  return refuse("invalid", "must be a JSON object", "payload");
}

/** The alert that an integration would make of a payload. */
async function throughIntegration(api: Api, id: string, payload: unknown) {
  const path = `/integrations/${encodeURIComponent(id)}/preview`;
  const previewed = await api.post<{ readonly events: readonly Previewed[] }>(path, { payload });
  if (isRefusal(previewed)) return previewed;
  const made = previewed.events.find(({ kind }) => kind === "create");
  if (made) {
    const { title, description, urgency, tags, meta } = made;
    return { title, description, urgency, tags, meta };
  }
  const [first] = previewed.events;
  const why = first?.reason ?? (first ? `it is an event of the kind ${first.kind}` : "it is empty");
  return refuse("invalid", `makes no alert: ${why}`, "payload");
}

/**
 * Tries a payload: an alert as the API takes it, or, with `integration`, what its sender would send.
 *
 * @param destinations `destination_*_ids` of the alert
 */
export async function dryRun(
  api: Api,
  text: string,
  integration: string,
  destinations: Readonly<Record<string, readonly string[]>>,
): Promise<Tried | Refusal> {
  const payload = parse(text);
  if (isRefusal(payload)) return payload;
  const alert = integration === "" ? payload : await throughIntegration(api, integration, payload);
  if (isRefusal(alert)) return alert;
  const preview = await api.post<Preview>("/alerts/preview", { ...alert, ...destinations });
  return isRefusal(preview) ? preview : { alert, preview };
}
