// The skeleton with the instruments by which the service's own operations are counted. Not deployed.
import { Instruments } from "../instruments/instruments.ts";
import worker, {
  AlertObject as PlainAlertObject,
  IntegrationInbox as PlainInbox,
} from "./skeleton.ts";

const instruments = new Instruments();
type Env = Cloudflare.Env & { readonly PROVIDER: string };

export class AlertObject extends PlainAlertObject {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, instruments.enter("AlertObject", ctx, env) as never);
  }
  override alarm() {
    return instruments.during(() => super.alarm());
  }
}

export class IntegrationInbox extends PlainInbox {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, instruments.enter("IntegrationInbox", ctx, env) as never);
  }
  override alarm() {
    return instruments.during(() => super.alarm());
  }
}

export default {
  async fetch(request, env) {
    switch (new URL(request.url).pathname) {
      case "/bench/report":
        return Response.json(instruments.report());
      case "/bench/reset":
        instruments.reset(true);
        return Response.json({});
      default:
        return worker.fetch(request, instruments.around("worker", env) as never);
    }
  },
  queue(batch, env) {
    instruments.queueBatches += 1;
    instruments.queueMessages += batch.messages.length;
    return worker.queue(batch, instruments.around("consumer", env) as never);
  },
} satisfies ExportedHandler<Env>;
