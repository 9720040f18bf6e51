// What the latest event of an alert says differently from its first one.
import type { Alert } from "../../features/alerts/alerts/contract.ts";
import { beginning } from "../../kernel/console/folded.tsx";
import { isWeb, LinkedText, Outside } from "../../kernel/console/linked-text.tsx";
import { Panel } from "../../kernel/console/panel.tsx";

const ROOM_BYTES = 6_000;

export const LatestEvent = ({
  alert: { latest_title: title, latest_description: description, latest_link: link },
}: {
  readonly alert: Alert;
}) => {
  if (title === null && description === null && link === null) return null;
  const text = description && beginning(description, ROOM_BYTES);
  return (
    <Panel title="Latest event" id="latest">
      {title === null ? null : <p>{title}</p>}
      {text ? (
        <p class="text description" tabindex={0}>
          <LinkedText text={text} />
        </p>
      ) : null}
      {link === null ? null : <p>{isWeb(link) ? <Outside to={link} /> : link}</p>}
    </Panel>
  );
};
