// The additional data of an alert: plain text, and URLs as links without a referrer. Images are
// links too: the console loads nothing from other hosts.
import { alertLinks } from "../../domain/alerts/alert-links.ts";
import type { Alert } from "../../features/alerts/alerts/contract.ts";
import { fitting, Unfold, useRoom } from "../../kernel/console/folded.tsx";
import { isWeb, Outside } from "../../kernel/console/linked-text.tsx";
import { Facts, Panel } from "../../kernel/console/panel.tsx";

type Datum = Alert["additional_data"][number];

function shownValue({ format, value }: Datum) {
  if ((format === "link" || format === "img") && isWeb(value)) {
    return <Outside to={value} />;
  }
  if (format === "email" && /^[^\s@:?&]+@[^\s@:?&]+$/.test(value)) {
    return <a href={`mailto:${value}`}>{value}</a>;
  }
  if (format === "phone" && /^\+?[\d ()-]{3,30}$/.test(value)) {
    return <a href={`tel:${value.replace(/[^\d+]/g, "")}`}>{value}</a>;
  }
  return <span class="text">{value}</span>;
}

/** Its runbook, its dashboard and other links, as buttons. */
export const LinkButtons = ({ data }: { readonly data: readonly Datum[] }) => {
  const links = alertLinks(data);
  return links.length === 0 ? null : (
    <nav class="buttons" aria-label="Links">
      {links.map(({ label, url }) => (
        <Outside to={url} label={label} />
      ))}
    </nav>
  );
};

const ROOM_BYTES = 6_000;

export const AdditionalData = ({ data }: { readonly data: readonly Datum[] }) => {
  if (data.length === 0) return null;
  const room = useRoom("data", ROOM_BYTES);
  const visible = fitting(data, ({ label, value }) => label + value, room);
  const rest = data.length - visible.length;
  return (
    <Panel title="Additional data" id="data">
      <Facts facts={visible.map((datum) => [datum.label, shownValue(datum)] as const)} />
      {rest > 0 ? <Unfold part="data">{`Show ${rest} more`}</Unfold> : null}
    </Panel>
  );
};
