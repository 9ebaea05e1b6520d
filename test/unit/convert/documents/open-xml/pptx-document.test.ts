import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { archive, converted, relationships, short } from '../office-files.ts';

const shape = (text: string, placeholder?: string, properties = '') =>
  `<p:sp><p:nvSpPr><p:cNvPr/><p:nvPr>${placeholder === undefined ? '' : `<p:ph ${placeholder}/>`}</p:nvPr></p:nvSpPr><p:txBody><a:bodyPr/><a:lstStyle/><a:p><a:pPr>${properties}</a:pPr><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;
const slide = (...shapes: string[]) => `<p:sld><p:cSld><p:spTree>${shapes.join('')}</p:spTree></p:cSld></p:sld>`;

function pptx(parts: Record<string, string>): Uint8Array {
  return archive({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relationships(['r', 'officeDocument', 'ppt/presentation.xml']),
    'ppt/presentation.xml':
      '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="two"/><p:sldId id="257" r:id="one"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relationships(
      ['one', 'slide', 'slides/slide1.xml'],
      ['two', 'slide', 'slides/slide2.xml'],
    ),
    ...parts,
  });
}

describe('PPTX', () => {
  test('slides in the order of the presentation, titles first, items, tables', async () => {
    const table =
      '<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>a</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>b</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>';
    const document = await converted(
      pptx({
        'ppt/slides/slide1.xml': slide(shape('Last', 'type="ctrTitle"'), shape('Footer', 'type="ftr"')),
        'ppt/slides/slide2.xml': slide(
          shape('Point', 'idx="1"'),
          shape('No point', 'idx="1"', '<a:buNone/>'),
          shape('First', 'type="title"'),
          shape('7', 'type="sldNum"'),
          shape('Footer', 'type="ftr"'),
          shape('free'),
          table,
        ),
      }),
    );
    assert.deepEqual(short(document.blocks), ['h2 First', '- Point', 'No point', 'Footer', 'free', 'a|b', 'h2 Last']);
    assert.equal(document.pages, 2);
    assert.equal(document.title, 'First');
  });

  test('notes, comments, links, diagrams, and what layouts write on the slide', async () => {
    const document = await converted(
      pptx({
        'ppt/slides/slide1.xml': slide(
          '<p:sp><p:txBody><a:p><a:r><a:rPr><a:hlinkClick r:id="h"/></a:rPr><a:t>the page</a:t></a:r></a:p></p:txBody></p:sp>',
        ),
        'ppt/slides/_rels/slide1.xml.rels': relationships(
          ['h', 'hyperlink', 'https://host.test/', true],
          ['n', 'notesSlide', '../notesSlides/notesSlide1.xml'],
          ['c', 'comments', '../comments/comment1.xml'],
          ['d', 'diagramData', '../diagrams/data1.xml'],
          ['l', 'slideLayout', '../slideLayouts/slideLayout1.xml'],
        ),
        'ppt/notesSlides/notesSlide1.xml': slide(shape('say this', 'type="body"'), shape('1', 'type="sldNum"')),
        'ppt/comments/comment1.xml': '<p:cmLst><p:cm><p:text>nice</p:text></p:cm></p:cmLst>',
        'ppt/diagrams/data1.xml':
          '<dgm:dataModel><dgm:pt><dgm:t><a:bodyPr/><a:p><a:r><a:t>Chief</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>',
        'ppt/slideLayouts/slideLayout1.xml': slide(shape('Click to edit', 'type="title"'), shape('Confidential')),
        'ppt/slideLayouts/_rels/slideLayout1.xml.rels': relationships(['m', 'slideMaster', '../slideMasters/m.xml']),
        'ppt/slideMasters/m.xml': slide(shape('Our company')),
        'ppt/slides/slide2.xml': slide(shape('x')),
        'ppt/slides/_rels/slide2.xml.rels': relationships(['l', 'slideLayout', '../slideLayouts/slideLayout1.xml']),
      }),
    );
    assert.deepEqual(short(document.blocks), [
      'x',
      'Confidential',
      'Our company',
      'the page',
      'Chief',
      'say this',
      'nice',
    ]);
    assert.deepEqual(document.links, [{ url: 'https://host.test/', text: 'the page' }]);
  });
});
