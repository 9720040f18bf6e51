// An alert's comments, newest last, and the form that adds one.
import { counted } from "../../domain/shared/counted.ts";
import type { Comment } from "../../features/alerts/comments/contract.ts";
import { beginning, fitting, Unfold, useRoom } from "../../kernel/console/folded.tsx";
import { Button, Form, TextArea } from "../../kernel/console/form.tsx";
import { LinkedText } from "../../kernel/console/linked-text.tsx";
import { Moment } from "../../kernel/console/moment.tsx";
import { Panel } from "../../kernel/console/panel.tsx";
import type { List } from "../../kernel/contract/list.ts";

const ROOM_BYTES = 10_000;
/** Per comment, because up to a hundred share the page. */
const LINKS = 3;

type CommentsProps = {
  /** Newest first. */
  readonly comments: List<Comment>;
  /** The path that a new comment is posted to. */
  readonly to: string;
};

export const Comments = ({ comments, to }: CommentsProps) => {
  const room = useRoom("comments", ROOM_BYTES);
  const visible = fitting(comments.data, ({ body }) => body, room);
  const rest = comments.total_count - visible.length;
  const isCut = visible.some(({ body }) => beginning(body, room) !== body);
  return (
    <Panel title="Comments" id="comments">
      {rest > 0 || isCut ? (
        <Unfold part="comments">
          {rest > 0 ? `Show ${counted(rest, "earlier comment")}` : "Show the full comments"}
        </Unfold>
      ) : null}
      <ol class="comments">
        {visible.toReversed().map((comment) => (
          <li>
            <p class="soft">
              {comment.created_by_name ?? "Unknown"} · <Moment at={comment.created_at} />
            </p>
            <p class="text">
              <LinkedText text={beginning(comment.body, room)} most={LINKS} />
            </p>
          </li>
        ))}
      </ol>
      <Form to={to} kind="fields">
        <TextArea name="body" label="New comment" rows={2} required />
        <Button tone="plain">Add comment</Button>
      </Form>
    </Panel>
  );
};
