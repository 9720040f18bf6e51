// Notifies the schedule objects after a write that may change who is on call.
import type { ApiRequest, DeclaredRoute } from "../../http/route.ts";
import { notifyChanges } from "../../objects/shared/notify-changes.ts";

/** Wraps routes: after the response of a write, notifies of the on-call changes it made. */
export function watched(routes: readonly DeclaredRoute[]): readonly DeclaredRoute[] {
  return routes.map((route) => {
    if (route.method === "GET") return route;
    const notifying = async (request: ApiRequest) => {
      const answer = await route.handle(request);
      const { env, actor } = request;
      // After the response: the caller does not wait for notifications.
      request.waitUntil(scheduler.wait(1).then(() => notifyChanges(env, actor.accountId)));
      return answer;
    };
    return { ...route, handle: notifying };
  });
}
