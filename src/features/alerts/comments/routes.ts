// The routes of comments on alerts, broadcasts and other comments, or free-standing (contract 5).
import { sql } from "drizzle-orm";
import { created } from "../../../kernel/http/answers.ts";
import { listRecords, onRecord, readRoutes } from "../../../kernel/http/records.ts";
import { route } from "../../../kernel/http/route.ts";
import { made, many } from "../../../kernel/http/shown.ts";
import { comments } from "../../schema/messages.ts";
import { commentOn, createComment } from "./create-comment.ts";
import { CommentOn, CreateComment } from "./parameters.ts";
import { COMMENTED, type CommentableType, commentRecords } from "./rows.ts";

/** `GET` and `POST /things/:id/comments`. */
function routesBelow<const Path extends string>(path: Path, type: CommentableType) {
  const parent = COMMENTED[type];
  const article = type === "Alert" ? "an" : "a";
  const ofThe = `${article} ${type.toLowerCase()}'s`;
  return [
    route({
      method: "GET",
      path: `${path}/:id/comments`,
      operation: `list${type}Comments`,
      allow: "everyone",
      summary: `List ${ofThe} comments`,
      shows: many(commentRecords),
      handle: onRecord(parent.kind, (request, identifier) =>
        listRecords(request, commentRecords, {
          below: {
            parent,
            identifier,
            scope: (parentId) => sql`${comments.commentableId} = (${parentId})`,
          },
        }),
      ),
    }),
    route({
      method: "POST",
      path: `${path}/:id/comments`,
      operation: `create${type}Comment`,
      allow: "everyone",
      summary: `Comment on ${article} ${type.toLowerCase()}`,
      shows: made(commentRecords),
      body: CommentOn,
      makes: commentRecords,
      handle: onRecord(parent.kind, async (request, identifier) =>
        created(await commentOn(request, request.recordId, { type, identifier }, request.body)),
      ),
    }),
  ];
}

export const commentRoutes = [
  ...readRoutes("/comments", "Comment", commentRecords),
  route({
    method: "POST",
    path: "/comments",
    operation: "createComment",
    allow: "everyone",
    summary: "Create a comment",
    shows: made(commentRecords),
    body: CreateComment,
    makes: commentRecords,
    handle: async (request) =>
      created(await createComment(request, request.recordId, request.body)),
  }),
  ...routesBelow("/alerts", "Alert"),
  ...routesBelow("/broadcasts", "Broadcast"),
  ...routesBelow("/comments", "Comment"),
];
