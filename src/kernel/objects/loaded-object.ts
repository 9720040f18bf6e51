// A Durable Object class whose code is loaded in its first call: what an isolate evaluates when it
// starts has only the class's name and methods.
import { DurableObject } from "cloudflare:workers";
import { logFault } from "../db/log-fault.ts";

/** When an alarm is repeated whose object could not be loaded (ms). */
const RELOAD_MS = 5_000;

type Called = Readonly<Record<string, (...args: never[]) => unknown>>;

type ClassOf<T> = new (ctx: DurableObjectState, env: Cloudflare.Env) => T;

/** The names of an object's methods: RPC, and the platform's own that it has. */
type MethodsOf<T> = {
  [Name in keyof T]-?: [T[Name]] extends [never]
    ? never
    : T[Name] extends (...args: never[]) => unknown
      ? Name
      : never;
}[keyof T] &
  string;

/**
 * The class of an object, to be exported under its name.
 *
 * The first call loads the code and creates the object; calls that arrive meanwhile wait, and follow
 * in their order. Where loading fails, these calls fail, and the next one tries again.
 *
 * @param load imports the class itself
 * @param methods the name of each of its methods
 */
export function loadedObject<T extends DurableObject<Cloudflare.Env>>(
  load: () => Promise<ClassOf<T>>,
  methods: Readonly<Record<MethodsOf<T>, true>>,
): ClassOf<DurableObject<Cloudflare.Env> & Pick<T, MethodsOf<T>>> {
  class LoadedObject extends DurableObject<Cloudflare.Env> {
    #object: Promise<Called> | null = null;

    static {
      for (const name of Object.keys(methods)) {
        const value = async function (this: LoadedObject, ...args: never[]): Promise<unknown> {
          if (name === "alarm" && !(await this.#isLoaded())) return;
          return (await this.#load())[name]?.(...args);
        };
        Object.defineProperty(LoadedObject.prototype, name, { value });
      }
    }

    #load(): Promise<Called> {
      this.#object ??= this.#create();
      return this.#object;
    }

    async #create(): Promise<Called> {
      try {
        const Loaded = await load();
        return new Loaded(this.ctx, this.env) as object as Called;
      } catch (error) {
        // Once, and not by each call that waited: the next one may have begun to create it by then.
        this.#object = null;
        throw error;
      }
    }

    /** Whether the object can do what its alarm is for; else that is set anew: the platform drops one that fails often. */
    async #isLoaded(): Promise<boolean> {
      try {
        await this.#load();
        return true;
      } catch (error) {
        logFault("an object could not be loaded", error, { object: this.ctx.id.name });
        await this.ctx.storage.setAlarm(Date.now() + RELOAD_MS);
        return false;
      }
    }
  }
  return LoadedObject as never;
}
