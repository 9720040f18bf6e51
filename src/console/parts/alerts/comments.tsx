// An alert's comments, newest last, and the form that adds one.
import type { Comment } from "../../../contract/alerts/comment.ts";
import type { List } from "../../../contract/shared/list.ts";
import type { Visit } from "../../page.ts";
import { beginning, fitting, isWhole, Unfold } from "../shared/folded.tsx";
import { Button, Form, TextArea } from "../shared/form.tsx";
import { LinkedText } from "../shared/linked-text.tsx";
import { Moment } from "../shared/moment.tsx";
import { Panel } from "../shared/panel.tsx";

const ROOM_BYTES = 10_000;
/** Per comment, because up to a hundred share the page. */
const LINKS = 3;

export const Comments = ({
  comments,
  to,
  visit,
}: {
  /** Newest first. */
  readonly comments: List<Comment>;
  /** The path that a new comment is posted to. */
  readonly to: string;
  readonly visit: Visit;
}) => {
  const { url, session, now } = visit;
  const room = isWhole(url, "comments") ? Number.POSITIVE_INFINITY : ROOM_BYTES;
  const visible = fitting(comments.data, ({ body }) => body, room);
  const rest = comments.total_count - visible.length;
  const isCut = visible.some(({ body }) => beginning(body, room) !== body);
  return (
    <Panel title="Comments" id="comments">
      {rest > 0 || isCut ? (
        <Unfold url={url} part="comments">
          {rest > 0 ? `Show ${rest} earlier comments` : "Show the full comments"}
        </Unfold>
      ) : null}
      <ol class="comments">
        {visible.toReversed().map((comment) => (
          <li>
            <p class="soft">
              {comment.created_by_name ?? "Unknown"} ·{" "}
              <Moment at={comment.created_at} zone={session.timeZone} now={now} />
            </p>
            <p class="text">
              <LinkedText text={beginning(comment.body, room)} most={LINKS} />
            </p>
          </li>
        ))}
      </ol>
      <Form to={to} session={session} kind="fields">
        <TextArea name="body" label="New comment" rows={2} required />
        <Button tone="plain">Add comment</Button>
      </Form>
    </Panel>
  );
};
