import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import { type Answer, found } from "../../kernel/http/answers.ts";
import type { ApiRequest } from "../../kernel/http/route.ts";
import { type Decided, isWritten } from "./change.ts";
import { commit } from "./commit.ts";
import { preview } from "./preview.ts";

/**
 * A handler that runs a verb: its change is committed or, with `preview=true`, previewed.
 *
 * @param answer the response of the verb's answer
 */
export const handleChange =
  <Body, Further extends readonly unknown[], Result>(
    answer: (result: Result | Refusal) => Answer,
    verb: (request: ApiRequest<Body>, ...further: Further) => Promise<Decided<Result>>,
  ) =>
  async (request: ApiRequest<Body>, ...further: Further): Promise<Answer> => {
    const decide = async () => withCorrection(request, await verb(request, ...further));
    return request.preview
      ? found(await preview(request, decide))
      : answer(await commit(request, decide));
  };

/** The decision, with `corrects_past=true` for a change that is to change who was on call before it, too. */
function withCorrection<Result>(
  { correctsPast }: ApiRequest<unknown>,
  decided: Decided<Result>,
): Decided<Result> {
  if (!correctsPast || isRefusal(decided) || !isWritten(decided)) return decided;
  return { ...decided, correctsPast };
}
