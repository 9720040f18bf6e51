import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "sqlite",
  schema: ["./src/features/schema/*.ts", "./src/kernel/db/tables.ts"],
  out: "./migrations",
});
