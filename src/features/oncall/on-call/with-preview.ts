import { isRefusal } from "../../../domain/shared/refusal.ts";
import { found } from "../../../kernel/http/answers.ts";
import type { Route } from "../../../kernel/http/route.ts";
import { runPreview } from "../../change/preview.ts";
import { emptyPreview } from "./preview-on-call-change.ts";

/** A route that `previews`: with `preview=true` it answers what its change would do. */
export function withPreview<Declared extends Route>(declared: Declared): Declared {
  if (!declared.previews) return declared;
  return {
    ...declared,
    handle: async (request) => {
      if (!request.preview) return declared.handle(request);
      const verb = () => declared.handle(request);
      return found(await runPreview(verb, isRefusal, emptyPreview(request.now)));
    },
  };
}
