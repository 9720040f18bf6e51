// Shows the document in the system's colour scheme. Loads nothing from another host.
const dark = matchMedia("(prefers-color-scheme: dark)");
const followSystem = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", followSystem);
followSystem();

/** Labels fields and makes examples focusable, which Swagger UI does not do. */
function makeAccessible() {
  for (const field of document.querySelectorAll("select, textarea, input")) {
    if (field.labels?.length || field.ariaLabel) continue;
    field.ariaLabel = field.closest("[data-param-name]")?.dataset.paramName ?? "Example";
  }
  for (const example of document.querySelectorAll("pre.microlight")) example.tabIndex = 0;
}
let timer;
new MutationObserver(() => {
  clearTimeout(timer);
  timer = setTimeout(makeAccessible, 100);
}).observe(document.body, { childList: true, subtree: true });

window.ui = SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "list",
  filter: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  persistAuthorization: true,
  validatorUrl: null,
});
