import { DurableObject } from "cloudflare:workers";
export class IntegrationInbox extends DurableObject {
  async ping() {
    return 1;
  }
}
export class AlertObject extends DurableObject {}
export default {
  async fetch() {
    return new Response("ok " + typeof process);
  },
  async queue() {},
  async scheduled() {},
};
