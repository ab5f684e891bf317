import { defineRouteMiddleware } from "@astrojs/starlight/route-data";

/**
 * Gives pages with a hero the menu, which they have on phones only: `frame.css` hides it elsewhere.
 * Without it, a phone would find neither pages nor the switch of schemes on the front page.
 */
export const onRequest = defineRouteMiddleware(({ locals }) => {
  const { starlightRoute } = locals;
  if (starlightRoute.entry.data.hero !== undefined) starlightRoute.hasSidebar = true;
});
