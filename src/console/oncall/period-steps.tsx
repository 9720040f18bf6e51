// The links of a calendar to the periods before and after.

import { HOUR } from "../../domain/shared/time.ts";
import { withQuery } from "../../kernel/console/filters.tsx";
import { Icon } from "../../kernel/console/icons.tsx";
import { dateOf } from "../../kernel/console/moment.tsx";
import { LinkButton } from "../../kernel/console/panel.tsx";
import { useViewer } from "../../kernel/console/viewer.tsx";
import type { Span } from "./on-call-window.ts";

export const PeriodSteps = ({ span }: { readonly span: Span }) => {
  const { url, now } = useViewer();
  return (
    <div class="buttons">
      <a class="button plain" href={withQuery(url, { from: span.before })} aria-label="Earlier">
        <Icon name="back" />
      </a>
      <LinkButton to={withQuery(url, { from: null })}>Today</LinkButton>
      <a class="button plain" href={withQuery(url, { from: span.next })} aria-label="Later">
        <Icon name="forward" />
      </a>
      <strong class="span">
        {dateOf(span.from, span.zone, now)} – {dateOf(span.to - HOUR, span.zone, now)}
      </strong>
    </div>
  );
};
