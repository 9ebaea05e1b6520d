import { propertyRuns } from '../property-runs.ts';
import { frontierConformance } from './frontier-suite.ts';
import { modelEngine } from './model/model-engine.ts';
import { soleOwnerOf } from './opened-state.ts';
import { historyConformance } from './state-histories.ts';
import { stateConformance } from './state-suite.ts';

frontierConformance(soleOwnerOf(modelEngine));
stateConformance(modelEngine);
historyConformance(modelEngine, propertyRuns(600));
