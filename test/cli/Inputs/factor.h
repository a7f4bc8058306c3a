#pragma once
#ifndef FACTOR
#define FACTOR 2.0f
#endif
