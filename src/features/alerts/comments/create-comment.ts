// Comments on alerts, broadcasts and other comments, or free-standing (contract 5). Comments are
// immutable, and deleted with their parent.
import type { PersonActor } from "../../../domain/access/actor.ts";
import { parseIdentifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import type { Context } from "../../change/context.ts";
import type { Comment } from "./contract.ts";
import type { CommentOn, CreateComment } from "./parameters.ts";
import { COMMENTED } from "./rows.ts";
import { type Commentable, writeComment } from "./write-comment.ts";

/**
 * Creates a comment on the record that the parameters name, or a free-standing one.
 *
 * @param id the ULID of the new comment
 * @returns the comment; 422 if there is no such record
 */
export async function createComment(
  context: Context<PersonActor>,
  id: string,
  body: CreateComment,
): Promise<Comment | Refusal> {
  const on = commentableOf(body);
  if (isRefusal(on)) return on;
  return (await writeComment(context, { id, body, on })) ?? refuseUnknownParent(body);
}

/**
 * Creates a comment on a record.
 *
 * @param id the ULID of the new comment
 * @param from the id of the integration by which it came
 * @returns the comment; 404 if there is no such record
 */
export async function commentOn(
  context: Context<PersonActor>,
  id: string,
  on: Commentable,
  body: CommentOn,
  from?: string,
): Promise<Comment | Refusal> {
  const draft = { id, body, on, from };
  return (await writeComment(context, draft)) ?? notFound(COMMENTED[on.type].kind);
}

/** The parent in `commentable_type` and `commentable_id`; null for a free-standing comment. */
function commentableOf(body: CreateComment): Commentable | Refusal | null {
  const { commentable_type: type, commentable_id: id } = body;
  if (type == null || id == null) return null;
  const identifier = parseIdentifier(COMMENTED[type].kind, id);
  return identifier === null ? refuseUnknownParent(body) : { type, identifier };
}

function refuseUnknownParent({ commentable_type: type, commentable_id: id }: CreateComment) {
  const message = `commentable_id: no such ${type?.toLowerCase() ?? "record"} ${id?.slice(0, 64)}`;
  return refuse("invalid", message, "commentable_id");
}
