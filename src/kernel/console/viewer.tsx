// Who views a page, where and when: what the components of every page take from it, unless they are given another.
import { createContext, useContext } from "hono/jsx";
import type { FormSession } from "./form-token.ts";

type Viewer = {
  /** Null: nobody is signed in. */
  readonly session: FormSession | null;
  /** The name of their time zone. */
  readonly zone: string;
  /** When the page was requested (epoch ms). */
  readonly now: number;
  /** The address of the page. */
  readonly url: URL;
};

const Context = createContext<Viewer>({
  ...{ session: null, zone: "UTC", now: 0, url: new URL("http://console") },
});

export const ViewerProvider = Context.Provider;

/** The viewer of the page that is being rendered. */
export const useViewer = (): Viewer => useContext(Context);
