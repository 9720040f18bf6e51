// Every page of the console and everything a form of it does, in one visible list.
import type { ConsolePage } from "./page.ts";
import { alertsPages } from "./pages/alerts.tsx";
import { passwordPages } from "./pages/password.tsx";
import { signInPages } from "./pages/sign-in.tsx";

export const pages: readonly ConsolePage[] = [...signInPages, ...passwordPages, ...alertsPages];
