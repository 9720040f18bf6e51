// What a sender sent besides: text as text, addresses as links that tell the other side nothing of us. A picture is a
// link too: no other host is asked for anything by a page of ours.
import type { Alert } from "../records.ts";
import { Facts, Panel } from "./panel.tsx";

type Datum = Alert["additional_data"][number];

/** An address that a browser may be sent to. */
const isWeb = (value: string) =>
  /^https?:\/\//i.test(value) && URL.canParse(value) && value.length <= 2_048;

function shownValue({ format, value }: Datum) {
  if ((format === "link" || format === "img") && isWeb(value)) {
    return (
      <a href={value} rel="noopener noreferrer nofollow" target="_blank">
        {value}
      </a>
    );
  }
  if (format === "email" && /^[^\s@:?&]+@[^\s@:?&]+$/.test(value)) {
    return <a href={`mailto:${value}`}>{value}</a>;
  }
  if (format === "phone" && /^\+?[\d ()-]{3,30}$/.test(value)) {
    return <a href={`tel:${value.replace(/[^\d+]/g, "")}`}>{value}</a>;
  }
  return <span class="text">{value}</span>;
}

export const AdditionalData = ({ data }: { readonly data: readonly Datum[] }) =>
  data.length === 0 ? null : (
    <Panel title="From the sender">
      <Facts facts={data.map((datum) => [datum.label, shownValue(datum)] as const)} />
    </Panel>
  );
