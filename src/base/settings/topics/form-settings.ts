import { list } from '../collection-kinds.ts';
import { setting } from '../kind.ts';
import { integer } from '../scalar-kinds.ts';
import { hostPattern } from '../text-kinds.ts';

/** Pages that only a form leads to. */
export const formSettings = {
  forms: setting(
    list(hostPattern, 'commaAlone'),
    [],
    `Hosts whose search forms are filled in (\`example.org\`, \`*.example.org\`, \`localhost:8080\`): pages are found that no link leads to. Only forms that are
    sent with GET and ask for nothing personal; first their choices, then words of the site itself ([forms](forms.md)).`,
  ),
  formRequests: setting(
    integer({ min: 1, max: 100_000 }),
    300,
    'Most requests for one form. It ends sooner where nothing new comes.',
  ),
};
