import { writeFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { chapters } from './guides.ts';

/** As other readers of Markdown name headings, so that one link is right everywhere. */
function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

const reference = { text: 'Reference', link: '/reference.html', target: '_self' };

/**
 * How the site is built.
 *
 * @param base the path below which it is served
 * @param modulesFile gets the files whose code the site has, for their licences
 */
export function siteConfig(base: string, modulesFile: string) {
  return defineConfig({
    base,
    lang: 'en',
    title: 'Pay-in and off-ramp API',
    description: 'Guides for developers: collect pesos from users, and pay users out for crypto.',
    head: [['link', { rel: 'icon', href: 'data:,' }]],
    // Neither is a page of its own making.
    ignoreDeadLinks: [/reference\.html/, /llms\.txt/],
    // What would differ by base and page is no inline script, so that a few hashes are the whole policy of scripts.
    metaChunk: true,
    // Otherwise each link on the screen is a call.
    router: { prefetchLinks: false },
    markdown: {
      anchor: { slugify: slugOf },
      // Others have comments and keywords below a contrast of 4.5.
      theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    },
    themeConfig: {
      nav: [{ text: 'Guides', link: '/' }, reference],
      sidebar: [
        ...chapters.map(({ title, guides }) => ({
          text: title,
          items: guides.map((guide) => ({ text: guide.title, link: `/${guide.name}` })),
        })),
        { text: 'Every field', items: [reference] },
      ],
      outline: { level: [2, 3] },
      search: { provider: 'local' },
    },
    vite: {
      logLevel: 'warn',
      plugins: [
        {
          name: 'list-modules',
          apply: (_, { isSsrBuild }) => isSsrBuild !== true,
          generateBundle() {
            const included = [...this.getModuleIds()].filter((id) => this.getModuleInfo(id)?.isIncluded === true);
            writeFileSync(modulesFile, JSON.stringify(included));
          },
        },
      ],
    },
  });
}
